import { createServer } from 'node:http';

/** A baseline: the smallest HTTP server that Node can run, in a process of its own. It prints its port. */
const body = JSON.stringify({
  status: 'ok',
  name: 'executor',
  version: '0.0.0',
  installationId: 'ins_0',
  database: 'ok',
});
const server = createServer((_, response) =>
  response.setHeader('content-type', 'application/json').end(body),
);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
