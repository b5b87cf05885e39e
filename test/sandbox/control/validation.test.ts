import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { validateBody } from '../../../src/sandbox/control/validation.ts';

const schema = z.object({
  count: z.int().min(1).max(9).exactOptional(),
  match: z.string().min(1).max(4).exactOptional(),
  people: z.array(z.string()).max(1).exactOptional(),
});
const app = new Hono().post(
  '/',
  validateBody(schema, () => ({ ok: true })),
);

test.each([
  [{ count: 0 }, 'count must be at least 1'],
  [{ count: 10 }, 'count must be at most 9'],
  [{ match: '' }, 'match must not be empty'],
  [{ match: 'longer' }, 'match must have at most 4 characters'],
  [{ people: ['a', 'b'] }, 'people must have at most 1 entries'],
  [{ count: 'many' }, 'count must be of type number'],
])('%j is refused in plain words', async (body, error) => {
  const response = await app.request('/', { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ ok: false, error });
});
