import { ChildSocket } from '../child-process/child-socket.ts';
import { compile } from './compile.ts';
import type { Lower } from './strip.ts';

/**
 * The program of the compiler: `node compiler.js`, with its socket as descriptor 3. It is a process of its own because a
 * parser can be sent into deep recursion or long searches; after such a fault its state is not to be trusted and it ends.
 */
const lower: Lower = (text) => require('./lowering.cjs').lower(text);
const socket = new ChildSocket();
socket.send('ready');
socket.serve((_head, body) => {
  const compilation = compile(body.toString(), lower);
  socket.send(compilation.type, Buffer.from(JSON.stringify(compilation)));
});
