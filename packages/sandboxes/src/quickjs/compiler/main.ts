import { ChildSocket } from '../child-process/child-socket.ts';
import { compile } from './compile.ts';
import type { Lower } from './strip.ts';

/**
 * The compiler program: `node compiler.js`, with its socket as descriptor 3. It has its own process because source code can drive a parser
 * into deep recursion or long searches. After such a fault the process ends, because its state is not trusted.
 */
const lower: Lower = (text) => require('./lowering.cjs').lower(text);
const socket = new ChildSocket();
socket.send('ready');
socket.serve((_head, body) => {
  const compilation = compile(body.toString(), lower);
  socket.send(compilation.type, Buffer.from(JSON.stringify(compilation)));
});
