/** The version of this program, from `package.json`. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const described = z.object({ version: z.string() });

export const VERSION = described.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
).version;
