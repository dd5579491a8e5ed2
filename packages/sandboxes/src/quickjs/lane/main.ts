import { readFileSync } from 'node:fs';
import { ChildSocket } from '../child-socket.ts';
import { encodeFromLane } from '../from-lane.ts';
import { parseToLane } from '../to-lane.ts';
import { decodeImage } from './image-file.ts';
import { Lane } from './lane.ts';
import { warmUp } from './warm-up.ts';

/** The program of a lane: `node lane.js FOLDER`, with its socket as descriptor 3. */
const folder = process.argv[2] ?? '.';
const image = decodeImage(readFileSync(`${folder}/image.bin`), readFileSync(`${folder}/quickjs.wasm`));
const socket = new ChildSocket();
warmUp(image);
const lane = new Lane(image, (message, body) => socket.send(encodeFromLane(message), body));
socket.send(encodeFromLane({ type: 'ready', build: image.build }));
socket.serve((head, body) => lane.obey(parseToLane(head), body));
