import { DetectedSource, DetectSource } from '../source/detected-source.ts';
import { NewSource, SourceChange } from '../source/new-source.ts';
import { ProviderList, ProviderQuery } from '../source/provider.ts';
import {
  ChangedSource,
  DocumentQuery,
  Source,
  SourceList,
  SourceLogs,
  SourceRefresh,
} from '../source/source.ts';
import { DiscoveredTools, DiscoverQuery, Tool, ToolList, ToolQuery, ToolRead } from '../source/tool.ts';
import { PageQuery } from './list.ts';
import type { Route } from './route.ts';

/** A document of 50 MB as a JSON string. */
const maxSourceBytes = 96 * 1024 * 1024;

/** Documents are fetched from other servers, and the largest take half a minute to read. */
const maxLoadingMs = 10 * 60_000;

/** The routes of sources and their tools. */
export const sourceRoutes = {
  sources: {
    list: {
      method: 'GET',
      path: '/v1/sources',
      access: 'any',
      summary: 'List the sources, including those that are being added',
      query: PageQuery,
      response: SourceList,
    },
    create: {
      method: 'POST',
      path: '/v1/sources',
      access: 'person',
      summary: 'Add a source; its tools can be called after the response',
      body: NewSource,
      maxBodyBytes: maxSourceBytes,
      maxHandlingMs: maxLoadingMs,
      presence: 'route',
      response: Source,
      status: 201,
    },
    detect: {
      method: 'POST',
      path: '/v1/sources/detect',
      access: 'person',
      summary: 'Detect the kinds of sources at a URL, and the credential that they need',
      body: DetectSource,
      response: DetectedSource,
    },
    providers: {
      method: 'GET',
      path: '/v1/providers',
      access: 'person',
      summary: 'List the well-known systems that can be added by name',
      query: ProviderQuery,
      response: ProviderList,
    },
    get: {
      method: 'GET',
      path: '/v1/sources/:id',
      access: 'any',
      summary: 'Read a source, by its id or namespace',
      response: Source,
    },
    update: {
      method: 'PATCH',
      path: '/v1/sources/:id',
      access: 'person',
      summary: 'Change the settings of a source or of its tools',
      body: SourceChange,
      maxBodyBytes: maxSourceBytes,
      maxHandlingMs: maxLoadingMs,
      presence: 'route',
      response: ChangedSource,
    },
    remove: {
      method: 'DELETE',
      path: '/v1/sources/:id',
      access: 'person',
      summary: 'Remove a source and its tools',
      presence: 'route',
    },
    refresh: {
      method: 'POST',
      path: '/v1/sources/:id/refresh',
      access: 'person',
      summary: 'Read the document of a source again and list the changes',
      maxHandlingMs: maxLoadingMs,
      presence: 'route',
      response: SourceRefresh,
    },
    tools: {
      method: 'GET',
      path: '/v1/sources/:id/tools',
      access: 'any',
      summary: 'List the tools of a source',
      query: ToolQuery,
      response: ToolList,
    },
    document: {
      method: 'GET',
      path: '/v1/sources/:id/document',
      access: 'person',
      summary: 'Read the document of a source, or another of its files',
      query: DocumentQuery,
      bytes: true,
    },
    logs: {
      method: 'GET',
      path: '/v1/sources/:id/logs',
      access: 'person',
      summary: 'List the latest lines that the system of a source wrote, oldest first',
      response: SourceLogs,
    },
  },
  tools: {
    discover: {
      method: 'GET',
      path: '/v1/tools',
      access: 'any',
      summary: 'Find tools for a task',
      query: DiscoverQuery,
      response: DiscoveredTools,
    },
    get: {
      method: 'GET',
      path: '/v1/tools/:path',
      access: 'any',
      summary: 'Read a tool: its signature, an example, its schemas',
      query: ToolRead,
      response: Tool,
    },
  },
} as const satisfies Record<string, Record<string, Route>>;
