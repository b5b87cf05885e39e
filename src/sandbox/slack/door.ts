/** The workspace's HTTP door: the Web API, files and the response URLs. */
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Core } from './core.ts';
import { receiveFile, sendFile } from './file-door.ts';
import { answerResponse } from './response-door.ts';
import { LARGEST_FILE } from './web-api/files.ts';
import type { WebApi } from './web-api/web-api.ts';

const LARGEST_BODY = 4 * 1024 * 1024;
/** What a multipart form adds to a file. */
const FORM_MARGIN = 64 * 1024;

export function createDoor(core: Core, webApi: WebApi): (request: Request) => Response | Promise<Response> {
  const door = new Hono();
  door.post('/upload/v1/:ticket', bodyLimit({ maxSize: LARGEST_FILE + FORM_MARGIN }), ({ req }) =>
    receiveFile(core, req.path, req.raw),
  );
  door.get('/files-pri/:place/:name', ({ req }) =>
    sendFile(core, req.param('place').replace(`${core.app.teamId}-`, ''), req.raw),
  );
  door.use(limited(LARGEST_BODY));
  door.on(['GET', 'POST'], '/api/:method', ({ req }) => webApi.answer(req.param('method'), req.raw));
  door.all('/:kind{commands|actions|app}/:team/:id/:secret', ({ req }) =>
    answerResponse(core, req.path, req.raw),
  );
  return (request) => door.fetch(request);
}

/**
 * node:http reads no more than the declared length, so only a body without one is looked at while it comes: to
 * look into it makes a stream of it, which costs more than all of the rest of a call.
 */
function limited(maxSize: number): MiddlewareHandler {
  const limit = bodyLimit({ maxSize });
  return (context, next) => {
    const declared = Number(context.req.header('content-length') ?? Number.NaN);
    return declared <= maxSize ? next() : limit(context, next);
  };
}
