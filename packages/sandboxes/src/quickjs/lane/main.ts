import { readFileSync } from 'node:fs';
import { ChildSocket } from '../child-process/child-socket.ts';
import { encodeFromLane } from '../messages/from-lane.ts';
import { parseToLane } from '../messages/to-lane.ts';
import { decodeImage } from './image-file.ts';
import { LaneProgram } from './lane-program.ts';
import { warmUp } from './warm-up.ts';

/** The program of a lane: `node lane.js FOLDER`, with its socket as descriptor 3. */
const folder = process.argv[2] ?? '.';
const image = decodeImage(readFileSync(`${folder}/image.bin`), readFileSync(`${folder}/quickjs.wasm`));
const socket = new ChildSocket();
warmUp(image);
const lane = new LaneProgram(image, (message, body) => socket.send(encodeFromLane(message), body));
socket.send(encodeFromLane({ type: 'ready', build: image.build }));
socket.serve((head, body) => lane.perform(parseToLane(head), body));
