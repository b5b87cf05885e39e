/** The workspace's HTTP door: the Web API and the response URLs. */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Core } from './core.ts';
import { answerResponse } from './response-door.ts';
import type { WebApi } from './web-api/web-api.ts';

const LARGEST_BODY = 4 * 1024 * 1024;

export function createDoor(core: Core, webApi: WebApi): (request: Request) => Response | Promise<Response> {
  const door = new Hono();
  door.use(bodyLimit({ maxSize: LARGEST_BODY }));
  door.on(['GET', 'POST'], '/api/:method', ({ req }) => webApi.answer(req.param('method'), req.raw));
  door.all('/:kind{commands|actions}/:team/:id/:secret', ({ req }) =>
    answerResponse(core, req.path, req.raw),
  );
  return (request) => door.fetch(request);
}
