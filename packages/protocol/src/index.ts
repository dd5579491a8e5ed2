export type { ApiKey, CreatedApiKey } from './api-key.ts';
export type { AuditEntry } from './audit.ts';
export { DisplayName } from './display-name.ts';
export { type ErrorCode, ExecutorError, toExecutorError } from './error.ts';
export { ErrorBody, fromErrorBody, toErrorBody } from './error-body.ts';
export type { Health } from './health.ts';
export { describeIssues, issueSentence } from './issue-sentence.ts';
export type { PageQuery } from './list.ts';
export { openApiDocument } from './openapi.ts';
export type { Me, Principal, PrincipalKind } from './principal.ts';
export { printable } from './printable.ts';
export {
  type ParsedInput,
  pathParams,
  type Route,
  type RouteInput,
  type RouteOutput,
  successStatus,
} from './route.ts';
export { type Routes, routeRows, routes } from './routes.ts';
export { type Session, sessionHeader } from './session.ts';
export type { Settings, SettingsChange } from './settings.ts';
