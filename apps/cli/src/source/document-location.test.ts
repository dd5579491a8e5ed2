import { expect, test } from 'vitest';
import { CapturedEnvironment } from '../../test/captured-environment.ts';
import { readLocation } from './document-location.ts';

test.each([
  ['api.example.com/openapi.json', ' Did you mean https://api.example.com/openapi.json?'],
  ['127.0.0.1:3000', ' Did you mean http://127.0.0.1:3000?'],
  ['localhost:3000/docs', ' Did you mean http://localhost:3000/docs?'],
  ['not-a-file.yaml', ''],
  ['folder/openapi.json', ''],
])(
  'The location %s that is no file is rejected, with a suggestion if it looks like a URL:%s',
  async (location, hint) => {
    await expect(readLocation(new CapturedEnvironment(), location)).rejects.toMatchObject({
      code: 'usage',
      message: `Cannot read ${location}: there is no such file.${hint}`,
    });
  },
);
