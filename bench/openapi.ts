import type { Figure } from './figure.ts';
import { measureCalls, measureWireShare } from './openapi-calls.ts';
import { measureReader } from './openapi-reader.ts';

/** OpenAPI sources: documents become tools, tools become requests. The reader's part comes first, as it installs the corpus. */
export async function measureOpenApi(): Promise<Figure[]> {
  return [...(await measureReader()), ...(await measureCalls()), ...(await measureWireShare())];
}
