/** The workspace's shared state, as its parts see it. */
import type { Clock } from '../../../lib/clock.ts';
import { createDirectory, type Directory } from '../state/directory.ts';
import { createFileStore, type FileStore } from '../state/file-store.ts';
import {
  createMessageChanges,
  createTimeline,
  type MessageChanges,
  type Timeline,
} from '../state/timeline.ts';
import {
  createEnteredValueStore,
  createViewStore,
  type EnteredValueStore,
  type ViewStore,
} from '../state/view-store.ts';
import type { Ids } from './ids.ts';
import type { AppManifest, InstalledApp } from './installed-app.ts';
import {
  createResponseUrls,
  createTriggers,
  type ResponseUrls,
  type Triggers,
} from './interaction-grants.ts';
import type { JsonObject } from './json-object.ts';

export type WorkspaceCore = {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly app: InstalledApp;
  readonly manifest: AppManifest;
  readonly directory: Directory;
  readonly timeline: Timeline;
  /** Tracks which messages changed since a cursor. */
  readonly messageChanges: MessageChanges;
  readonly files: FileStore;
  readonly views: ViewStore;
  readonly enteredValues: EnteredValueStore;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  /** Call it after every visible change. */
  readonly changed: () => void;
  /** Sends the bot an event if its manifest subscribes to `subscription`. */
  readonly announce: (subscription: string, event: JsonObject) => void;
  readonly reset: () => void;
};
export type WorkspaceCoreOptions = Pick<
  WorkspaceCore,
  'clock' | 'ids' | 'app' | 'manifest' | 'changed' | 'announce'
> & {
  /** The workspace's address; known only once it listens. */
  readonly origin: () => string;
  /** The timeline, whose changes are announced. */
  readonly announced: (timeline: Timeline, core: () => WorkspaceCore) => Timeline;
};

export function createWorkspaceCore({ origin, announced, ...given }: WorkspaceCoreOptions): WorkspaceCore {
  const { clock, ids, app } = given;
  const enteredValues = createEnteredValueStore();
  const watched = createMessageChanges(createTimeline(), clock);
  const stores = {
    directory: createDirectory(app, clock),
    timeline: announced(watched.timeline, () => core),
    files: createFileStore({ clock, ids, origin }),
    views: createViewStore(ids, enteredValues),
    enteredValues,
    triggers: createTriggers(clock, ids),
    responseUrls: createResponseUrls({ clock, ids, teamId: app.teamId, origin }),
  };
  const core: WorkspaceCore = {
    ...given,
    ...stores,
    messageChanges: watched.sightings,
    reset() {
      for (const store of Object.values(stores)) store.reset();
    },
  };
  return core;
}
