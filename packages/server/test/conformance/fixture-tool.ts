import type {
  CallToolResult,
  InputRequiredResult,
  McpRequestContext,
  Server,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import type { Exchange, McpParts } from '../../src/mcp/call/tool-call.ts';

export interface ToolRequest {
  name: string;
  arguments: Record<string, unknown>;
  /** The product's own parts, for tools that use the product. */
  parts: McpParts;
  exchange: Exchange;
  era: McpRequestContext['era'];
  context: ServerContext;
  server: Server;
}

export interface FixtureTool {
  description: string;
  inputSchema?: Tool['inputSchema'];
  call(
    request: ToolRequest,
  ): CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;
}
