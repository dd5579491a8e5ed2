import { readFileSync } from 'node:fs';
import { ChildSocket } from '../child-socket.ts';
import type { FromLane, ToLane } from '../messages.ts';
import { createImage } from './image.ts';
import { Lane } from './lane.ts';
import { warmUp } from './warm-up.ts';

/** The program of a lane: `node lane.js FOLDER`, with its socket as descriptor 3. */
const folder = process.argv[2] ?? '.';
const image = createImage(
  readFileSync(`${folder}/quickjs.wasm`),
  readFileSync(`${folder}/prelude.js`, 'utf8'),
);
const socket = new ChildSocket<FromLane>();
warmUp(image);
const lane = new Lane(image, (message, body) => socket.send(message, body));
socket.send({ type: 'ready', build: image.build });
socket.serve((head, body) => lane.obey(head as ToLane, body));
