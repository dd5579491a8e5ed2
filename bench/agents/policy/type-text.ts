import { type Field, type Type, unknown } from './types.ts';

/**
 * Reads types as a model does: TypeScript if it parses, and otherwise whatever looks like `name: type`. Comments are kept,
 * because they describe fields.
 */
export interface Signature {
  input: Type;
  output: Type;
  /** The text says that it leaves something out. */
  isCut: boolean;
}

export function readSignature(text: string): Signature {
  const isCut = /\bmore\b|…|\bcut\b|\bdepth\b|too large|not shown|left out/i.test(text);
  try {
    const reader = new TypeReader(text);
    const [input, output] = reader.signature();
    return { input, output, isCut };
  } catch {
    return { input: looseFields(text), output: unknown, isCut: true };
  }
}

/** The last resort for a text in a form that nobody knew when this was written. */
function looseFields(text: string): Type {
  const fields = [
    ...text.matchAll(/([A-Za-z_$][\w$[\].-]*)(\?)?\s*:\s*(string|number|integer|boolean)?(\[\])?/g),
  ].map(([whole, name = '', optional, type, list]): Field => {
    const item = looseType(type);
    const isRequired = optional === undefined && !/optional/i.test(whole);
    return { name, required: isRequired, comment: '', type: list ? { kind: 'array', items: item } : item };
  });
  return { kind: 'object', fields };
}

function looseType(name: string | undefined): Type {
  if (name === undefined) return unknown;
  return { kind: 'primitive', name: name === 'integer' ? 'number' : (name as 'string') };
}

const tokenPattern =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|-?\d+(?:\.\d+)?|[A-Za-z_$][\w$]*|=>|\.\.\.|[^\s]/g;

interface Token {
  text: string;
  isComment: boolean;
  /** A line break is before it. */
  startsLine: boolean;
}

class TypeReader {
  readonly #tokens: Token[] = [];
  readonly #named = new Map<string, Type>();
  #at = 0;

  constructor(text: string) {
    let startsLine = true;
    for (const [token] of text.matchAll(tokenPattern)) {
      if (token.trim() === '') startsLine ||= token.includes('\n');
      else {
        this.#tokens.push({ text: token, isComment: /^\/[/*]/.test(token), startsLine });
        startsLine = false;
      }
    }
  }

  signature(): [input: Type, output: Type] {
    this.#expect('(');
    let input: Type = { kind: 'object', fields: [] };
    if (!this.#take(')')) {
      this.#next();
      this.#take('?');
      this.#expect(':');
      input = this.#type();
      this.#take(',');
      this.#expect(')');
    }
    this.#expect('=>');
    const output = this.#type();
    this.#declarations();
    return [this.#resolved(input, 0), this.#resolved(output, 0)];
  }

  #declarations(): void {
    while (this.#tokens.slice(this.#at).some(({ isComment }) => !isComment)) {
      if (this.#next() !== 'type') continue;
      const name = this.#next();
      this.#expect('=');
      this.#named.set(name, this.#type());
    }
  }

  #type(): Type {
    const members: Type[] = [];
    this.#take('|');
    do members.push(this.#intersection());
    while (this.#take('|'));
    const literals = members.flatMap((member) => (member.kind === 'literals' ? member.values : []));
    const others = members.filter(({ kind }) => kind !== 'literals');
    const all: Type[] = literals.length > 0 ? [{ kind: 'literals', values: literals }, ...others] : others;
    return all.length === 1 ? (all[0] as Type) : { kind: 'union', members: all };
  }

  #intersection(): Type {
    const parts = [this.#postfix()];
    while (this.#take('&')) parts.push(this.#postfix());
    const [first = unknown] = parts;
    if (parts.length === 1) return first;
    return { kind: 'object', fields: parts.flatMap((part) => (part.kind === 'object' ? part.fields : [])) };
  }

  #postfix(): Type {
    let type = this.#primary();
    while (this.#peek() === '[' && this.#tokens[this.#at + 1]?.text === ']') {
      this.#at += 2;
      type = { kind: 'array', items: type };
    }
    return type;
  }

  #primary(): Type {
    const token = this.#next();
    if (token === '{') return this.#object();
    if (token === '(') {
      const inner = this.#type();
      this.#expect(')');
      return inner;
    }
    if (token === '[') return this.#tuple();
    if (/^["'`]/.test(token)) return { kind: 'literals', values: [unquoted(token)] };
    if (/^-?\d/.test(token)) return { kind: 'literals', values: [Number(token)] };
    if (token === 'true' || token === 'false') return { kind: 'literals', values: [token === 'true'] };
    if (token === 'string' || token === 'number' || token === 'boolean' || token === 'null')
      return { kind: 'primitive', name: token };
    if (!/^[A-Za-z_$]/.test(token)) throw new SyntaxError(`${token} is not a type`);
    return this.#generic(token);
  }

  #generic(name: string): Type {
    const args: Type[] = [];
    if (this.#take('<')) {
      do args.push(this.#type());
      while (this.#take(','));
      this.#expect('>');
    }
    if (name === 'Promise') return args[0] ?? unknown;
    if (name === 'Array') return { kind: 'array', items: args[0] ?? unknown };
    if (name === 'Record' || name === 'unknown' || name === 'object' || name === 'any') return unknown;
    return { kind: 'reference', name };
  }

  #tuple(): Type {
    const items: Type[] = [];
    while (!this.#take(']')) {
      this.#take('...');
      items.push(this.#type());
      this.#take('?');
      this.#take(',');
    }
    return { kind: 'array', items: items[0] ?? unknown };
  }

  #object(): Type {
    const fields: Field[] = [];
    let isPartial = false;
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token === undefined) throw new SyntaxError('The object does not end.');
      this.#at += 1;
      if (token.text === '}') return { kind: 'object', fields, isPartial };
      if (token.text === ';' || token.text === ',') continue;
      if (token.isComment) {
        this.#comment(token, fields);
        isPartial ||= /\+ ?\d+|\d+ more/.test(token.text);
      } else fields.push(this.#field(token.text));
    }
  }

  /** A comment beside a field describes it. One that stands alone names fields without their types. */
  #comment({ text, startsLine }: Token, fields: Field[]): void {
    const plain = text.replace(/^\/[/*]|\*\/$/g, '').trim();
    const last = fields.at(-1);
    if (last && !startsLine) last.comment += ` ${plain}`;
    else fields.push(...namesIn(plain));
  }

  #field(key: string): Field {
    let name = /^["'`]/.test(key) ? unquoted(key) : key;
    if (key === '[') {
      while (this.#next() !== ']');
      name = '*';
    }
    const required = !this.#take('?');
    this.#expect(':');
    const type = this.#type();
    const field: Field = { name, required, comment: '', type };
    const comment = this.#tokens[this.#at];
    if (comment?.isComment && !comment.startsLine) {
      this.#at += 1;
      field.comment = comment.text.replace(/^\/[/*]|\*\/$/g, '').trim();
    }
    return field;
  }

  #resolved(type: Type, depth: number): Type {
    if (depth > 8) return unknown;
    switch (type.kind) {
      case 'reference':
        return this.#resolved(this.#named.get(type.name) ?? unknown, depth + 1);
      case 'array':
        return { kind: 'array', items: this.#resolved(type.items, depth + 1) };
      case 'union':
        return { kind: 'union', members: type.members.map((member) => this.#resolved(member, depth + 1)) };
      case 'object':
        return {
          ...type,
          fields: type.fields.map((field) => ({ ...field, type: this.#resolved(field.type, depth + 1) })),
        };
      default:
        return type;
    }
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at]?.text;
  }

  #next(): string {
    while (this.#tokens[this.#at]?.isComment) this.#at += 1;
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new SyntaxError('The text ends early.');
    return token.text;
  }

  /** Comments between other tokens are skipped, unless they are the next thing in an object. */
  #take(text: string): boolean {
    let at = this.#at;
    while (this.#tokens[at]?.isComment) at += 1;
    if (this.#tokens[at]?.text !== text) return false;
    this.#at = at + 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new SyntaxError(`${text} is missing`);
  }
}

function namesIn(comment: string): Field[] {
  const list = comment
    .replace(/^(has|and|also|other fields?:?|fields?:?)\s+/i, '')
    .replace(/(,|\band\b)?\s*\+?\d+.*$/, '');
  return list
    .split(/,\s*|\s+and\s+/)
    .filter((name) => /^[A-Za-z_$][\w$.-]*$/.test(name))
    .map((name) => ({ name, required: false, comment: '', type: unknown }));
}

function unquoted(token: string): string {
  if (!token.startsWith('"')) return token.slice(1, -1);
  try {
    return JSON.parse(token);
  } catch {
    return token.slice(1, -1);
  }
}
