/** Uploads and downloads of files by the bot. */
import type { WorkspaceCore } from '../core/core.ts';
import { mimetypeOf } from '../objects/file-object.ts';

/** Accepts raw bytes, or a multipart form with one file or text; any status but 200 is a failure. */
export async function receiveFile(core: WorkspaceCore, path: string, request: Request): Promise<Response> {
  const bytes = await bytesOf(request);
  if (bytes === null) return new Response('no file in the form', { status: 400 });
  switch (core.files.receive(path, bytes)) {
    case 'taken':
      return new Response(`OK - ${bytes.length}`);
    case 'wrong_size':
      return new Response('the size is not the announced length', { status: 400 });
    case 'unknown':
      return new Response('unknown upload', { status: 404 });
  }
}

async function bytesOf(request: Request): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!/^multipart\/form-data/i.test(request.headers.get('content-type') ?? ''))
    return new Uint8Array(await request.arrayBuffer());
  const form = await request.formData().catch(() => new FormData());
  const parts = [...form.values()];
  const part = parts.find((each) => each instanceof File) ?? parts[0];
  if (part === undefined) return null;
  return typeof part === 'string' ? new TextEncoder().encode(part) : new Uint8Array(await part.arrayBuffer());
}

/**
 * A file's content, for the bot with its token and `files:read`; Slack sends others to its sign-in page. A download
 * "includes headers to force a browser download" (docs.slack.dev/reference/objects/file-object).
 */
export function sendFile(core: WorkspaceCore, id: string, request: Request, isDownload: boolean): Response {
  const allowed =
    request.headers.get('authorization') === `Bearer ${core.app.botToken}` &&
    core.manifest.scopes.has('files:read');
  if (!allowed) return new Response('sign in', { status: 403 });
  const file = core.files.get(id);
  if (!file?.finished || file.bytes === null) return new Response('no such file', { status: 404 });
  const headers = new Headers({ 'content-type': mimetypeOf(file) });
  if (isDownload) headers.set('content-disposition', 'attachment');
  return new Response(file.bytes, { headers });
}
