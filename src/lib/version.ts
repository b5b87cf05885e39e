/** The version of this program, as its package says. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const described = z.object({ version: z.string() });

export const VERSION = described.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
).version;
