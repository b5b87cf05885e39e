/**
 * The control interface: everything that people, outside checks and the page do in the sandbox goes through it. It
 * joins the services through their contracts.
 */
import { Hono } from 'hono';
import { foreignCaller } from '../foreign-caller.ts';
import { createChangeStream } from './change-stream.ts';
import { pageRoutes } from './page-routes.ts';
import { badRequestAnswer } from './validation.ts';
import { deviceRoutes, readingRoutes, workspaceRoutes } from './workspace-routes.ts';
import { botRoutes, type ControlOptions, readState, worldRoutes } from './world-routes.ts';

export type Control = {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Tells open pages to read again. */
  readonly announce: () => void;
};

/** The control interface over these services. */
export function createControl(options: ControlOptions): Control {
  const changes = createChangeStream(options.workspaceState?.workspace);
  options.workspaceState?.workspace.onChange(changes.announce);
  const app = new Hono();
  app.onError((error, context) => context.json(badRequestAnswer(error.message), 500));
  // With `only: 'management'` the service shares this address.
  const hint = options.workspaceState
    ? ''
    : '; the management service is under /api, its controls under /sandbox';
  app.notFound((context) =>
    context.json(badRequestAnswer(`no route for ${context.req.method} ${context.req.path}${hint}`), 404),
  );
  app.use(async (context, next) => {
    const why = foreignCaller(context.req.header('host'), context.req.header('origin'));
    return why === null ? next() : context.json(badRequestAnswer(why), 403);
  });
  app.use(async (context, next) => {
    await next();
    // Any request may have changed something visible: time, faults, the bot's state.
    if (context.req.method !== 'GET') changes.announce();
  });
  app.get('/sandbox/state', (context) => context.json(readState(options)));
  app.get('/sandbox/changes', changes.stream);
  app.route('/sandbox', worldRoutes(options));
  app.route('/sandbox', deviceRoutes(options.management));
  if (options.workspaceState) {
    app.route('/sandbox', workspaceRoutes(options.workspaceState.workspace));
    app.route('/sandbox', readingRoutes(options.workspaceState.workspace));
    app.route('/sandbox', botRoutes(options.workspaceState));
    app.route('/', pageRoutes(options.pageFolder));
  }
  return { fetch: (request) => app.fetch(request), announce: changes.announce };
}
