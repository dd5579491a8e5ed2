import type { ArtifactHandle } from '../ports/source.ts';

/** What the code gets instead of bytes that are not JSON, or of an answer that is too large. */
export interface ArtifactValue {
  type: 'artifact';
  id: string;
  mediaType: string;
  bytes: number;
  name?: string;
  /** Why it is an artifact, and how to read it. */
  message: string;
}

export function artifactValue(
  { artifactId: id, mediaType, bytes, name }: ArtifactHandle & { name?: string },
  reason: string,
): ArtifactValue {
  const isText = /^text\/|json|xml|yaml/.test(mediaType);
  const read = `tools.executor.artifacts.read({ id, as: "${isText ? 'text' : 'base64'}", offset, length })`;
  const message = `${reason} Read parts of it with ${read}.`;
  return { type: 'artifact', id, mediaType, bytes, ...(name !== undefined && { name }), message };
}
