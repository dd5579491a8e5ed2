import { config } from 'zod';

// Zod compiles schemas with `new Function` where it can. The page's content security policy forbids that, and the browser reports even
// the attempt. A schema decides when it is made, so main.tsx imports this file before any other.
config({ jitless: true });
