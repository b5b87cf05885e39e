/** The workspace's HTTP server: the Web API, uploads and response URLs. */
import { Hono, type MiddlewareHandler } from 'hono';
import type { WorkspaceCore } from '../core/core.ts';
import { MAX_FILE_BYTES } from '../web-api/file-methods.ts';
import type { WebApi } from '../web-api/web-api.ts';
import { handleResponseUrl } from './response-url.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;

export function createWorkspaceHttp(
  core: WorkspaceCore,
  webApi: WebApi,
): (request: Request) => Response | Promise<Response> {
  const app = new Hono();
  app.post('/upload/v1/:ticket', limited(MAX_FILE_BYTES), ({ req }) => receiveFile(core, req.path, req.raw));
  app.use(limited(MAX_BODY_BYTES));
  app.on(['GET', 'POST'], '/api/:method', ({ req }) => webApi.answer(req.param('method'), req.raw));
  app.all('/:kind{commands|actions|app}/:team/:id/:secret', ({ req }) =>
    handleResponseUrl(core, req.path, req.raw),
  );
  return (request) => app.fetch(request);
}

/** Accepts raw bytes; any status but 200 is a failure. */
async function receiveFile(core: WorkspaceCore, path: string, request: Request): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  switch (core.files.receive(path, bytes)) {
    case 'taken':
      return new Response(`OK - ${bytes.length}`);
    case 'wrong_size':
      return new Response('the size is not the announced length', { status: 400 });
    case 'unknown':
      return new Response('unknown upload', { status: 404 });
  }
}

/**
 * A declared length is trusted, because node:http reads no further; such a body is not wrapped, because streams took
 * most of the memory of a busy workspace (measured). A chunked body is counted.
 */
function limited(maxSize: number): MiddlewareHandler {
  return async (context, next) => {
    const { raw } = context.req;
    const tooLarge = () => context.text('Payload Too Large', 413);
    const declared = raw.headers.get('content-length');
    if (declared !== null) return Number(declared) <= maxSize ? next() : tooLarge();
    if (!raw.headers.has('transfer-encoding')) return next();
    const body = await readUpTo(maxSize, raw);
    if (body === null) return tooLarge();
    context.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body });
    return next();
  };
}

async function readUpTo(maxSize: number, { body }: Request): Promise<Blob | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxSize) return null;
    chunks.push(chunk);
  }
  return new Blob(chunks);
}
