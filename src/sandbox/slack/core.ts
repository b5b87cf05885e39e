/** The workspace's insides, as its parts see them. */
import type { Clock } from '../../clock.ts';
import type { App } from './app.ts';
import { withMessageEvents } from './delivery/message-events.ts';
import type { Ids } from './ids.ts';
import type { Fields } from './json.ts';
import type { Manifest } from './manifest.ts';
import { createResponseUrls, type ResponseUrls } from './response-urls.ts';
import { createDirectory, type Directory } from './state/directory.ts';
import { createFiles, type Files } from './state/files.ts';
import { createInputs, type Inputs } from './state/inputs.ts';
import { createSchedule, type Schedule } from './state/schedule.ts';
import { type Sightings, watchTimeline } from './state/sightings.ts';
import { createTimeline, type Timeline } from './state/timeline.ts';
import { createViewStore, type ViewStore } from './state/views.ts';
import { createTriggers, type Triggers } from './triggers.ts';

export type Core = {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly app: App;
  readonly manifest: Manifest;
  readonly directory: Directory;
  readonly timeline: Timeline;
  /** Which messages have changed since when. */
  readonly sightings: Sightings;
  readonly files: Files;
  readonly schedule: Schedule;
  readonly views: ViewStore;
  readonly inputs: Inputs;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  /** Something that a person could see has changed. */
  readonly changed: () => void;
  /** Tells the bot of an event, when its manifest subscribes to `subscription`. */
  readonly announce: (subscription: string, event: Fields) => void;
  /** Back to the seed. */
  readonly reset: () => void;
};
export type CoreOptions = Pick<Core, 'clock' | 'ids' | 'app' | 'manifest' | 'changed' | 'announce'> & {
  /** Where the workspace listens; known only once it does. */
  readonly origin: () => string;
};

export function createCore({ origin, ...given }: CoreOptions): Core {
  const { clock, ids, app } = given;
  const inputs = createInputs();
  const watched = watchTimeline(createTimeline(), clock);
  const stores = {
    directory: createDirectory(app),
    timeline: withMessageEvents(watched.timeline, () => core),
    files: createFiles({ clock, ids, teamId: app.teamId, origin }),
    schedule: createSchedule(clock),
    views: createViewStore(ids, inputs),
    inputs,
    triggers: createTriggers(clock, ids),
    responseUrls: createResponseUrls({ clock, ids, teamId: app.teamId, origin }),
  };
  const core: Core = {
    ...given,
    ...stores,
    sightings: watched.sightings,
    reset() {
      for (const store of Object.values(stores)) store.reset();
    },
  };
  return core;
}
