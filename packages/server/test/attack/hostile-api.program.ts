import { HostileApi } from './hostile-api.ts';

/** `hostile-api`: serves the external API of the attackers, and prints its document. */
const api = await HostileApi.start();
process.stdin.on('end', () => process.exit(0)).resume();
console.log(JSON.stringify(api.document()));
