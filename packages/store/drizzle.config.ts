import { defineConfig } from 'drizzle-kit';

/** `npx drizzle-kit generate --name WHAT` in this folder writes the next numbered migration from the schema. */
export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/schema.ts',
    './src/execution-schema.ts',
    './src/source-schema.ts',
    './src/usage-schema.ts',
    './src/vector-schema.ts',
  ],
  out: './migrations',
  breakpoints: false,
  casing: 'snake_case',
});
