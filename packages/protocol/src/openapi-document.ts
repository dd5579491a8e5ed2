import * as z from 'zod';

export const OpenApiDocument = z.record(z.string(), z.unknown());
