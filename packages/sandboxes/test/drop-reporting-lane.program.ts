import { ChildSocket } from '../src/quickjs/child-process/child-socket.ts';
import { encodeFromLane } from '../src/quickjs/messages/from-lane.ts';
import { parseToLane } from '../src/quickjs/messages/to-lane.ts';

/** A lane that runs no code. The first run makes a call and waits. Every later run returns the runs that were dropped so far. */
const socket = new ChildSocket();
const dropped: number[] = [];
socket.send(encodeFromLane({ type: 'ready', build: 'b' }));
socket.serve((head) => {
  const { type, run } = parseToLane(head);
  const end = { type: 'slice', run, cpuUs: 0, memoryBytes: 0 } as const;
  if (type === 'drop') dropped.push(run);
  if (type !== 'start') return;
  if (run > 1) {
    socket.send(
      encodeFromLane({ ...end, state: { type: 'returned' } }),
      Buffer.from(JSON.stringify(dropped)),
    );
    return;
  }
  socket.send(encodeFromLane({ type: 'call', run, index: 0, path: 'x.y' }), Buffer.from('{}'));
  socket.send(encodeFromLane({ ...end, state: { type: 'waiting' } }));
});
