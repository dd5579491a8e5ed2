/**
 * Rewrites a WASM module so that it imports its memory as `env.memory` instead of defining it. The creator of an instance then sets the
 * maximum, which no code inside can exceed. The engine's own accounting misses some allocations.
 */
const importSection = 2;
const memorySection = 5;
const headerBytes = 8;
const maximumPages = 65_536;

export interface ImportedMemoryModule {
  bytes: Uint8Array<ArrayBuffer>;
  minimumPages: number;
}

export function importMemory(wasm: Uint8Array): ImportedMemoryModule {
  const sections = readSections(wasm);
  const memory = sections.find(({ id }) => id === memorySection);
  const imports = sections.find(({ id }) => id === importSection);
  if (!memory || !imports) throw new TypeError('The module has no memory of its own, or no imports.');
  const minimumPages = readUnsigned(memory.content, 2).value;
  const rewritten = sections
    .filter(({ id }) => id !== memorySection)
    .map((section) => (section === imports ? withMemoryImport(section, minimumPages) : section));
  const bytes = [wasm.subarray(0, headerBytes), ...rewritten.map(encodeSection)];
  return { bytes: Uint8Array.from(Buffer.concat(bytes)), minimumPages };
}

interface Section {
  id: number;
  content: Uint8Array;
}

function readSections(wasm: Uint8Array): Section[] {
  const sections: Section[] = [];
  for (let offset = headerBytes; offset < wasm.length; ) {
    const size = readUnsigned(wasm, offset + 1);
    sections.push({ id: wasm[offset] ?? 0, content: wasm.subarray(size.end, size.end + size.value) });
    offset = size.end + size.value;
  }
  return sections;
}

function withMemoryImport({ id, content }: Section, minimumPages: number): Section {
  const count = readUnsigned(content, 0);
  const name = (text: string) => Buffer.concat([writeUnsigned(text.length), Buffer.from(text)]);
  const kindMemory = 2;
  const hasMaximum = 1;
  const entry = Buffer.concat([
    name('env'),
    name('memory'),
    Buffer.from([kindMemory, hasMaximum]),
    writeUnsigned(minimumPages),
    writeUnsigned(maximumPages),
  ]);
  return { id, content: Buffer.concat([writeUnsigned(count.value + 1), content.subarray(count.end), entry]) };
}

function encodeSection({ id, content }: Section): Uint8Array {
  return Buffer.concat([Buffer.from([id]), writeUnsigned(content.length), content]);
}

function readUnsigned(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  let end = start;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, end };
  }
}

function writeUnsigned(value: number): Buffer {
  const bytes: number[] = [];
  for (let remaining = value; ; remaining >>>= 7) {
    if (remaining < 0x80) return Buffer.from([...bytes, remaining]);
    bytes.push((remaining & 0x7f) | 0x80);
  }
}
