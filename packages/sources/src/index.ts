export { createAccessProbe } from './access/access-probe.ts';
export { createGoogleSource } from './google/google-source.ts';
export { createGraphQlSource, type GraphQlSourceOptions } from './graphql/graphql-source.ts';
export { createHttpClient, type HttpClientOptions } from './http/create-http-client.ts';
export type { HttpClient } from './http/http-client.ts';
export { createMcpSource, type McpSourceOptions } from './mcp/mcp-source.ts';
export { createOpenApiSource, type OpenApiSourceOptions } from './openapi/openapi-source.ts';
export type { OperationPlan } from './openapi/operation.ts';
