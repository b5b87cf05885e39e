/** The workspace's insides, as its parts see them. */
import type { Clock } from '../../clock.ts';
import type { App } from './app.ts';
import type { Ids } from './ids.ts';
import type { Fields } from './json.ts';
import type { Manifest } from './manifest.ts';
import type { ResponseUrls } from './response-urls.ts';
import type { Directory } from './state/directory.ts';
import type { Inputs } from './state/inputs.ts';
import type { Timeline } from './state/timeline.ts';
import type { ViewStore } from './state/views.ts';
import type { Triggers } from './triggers.ts';

export type Core = {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly app: App;
  readonly manifest: Manifest;
  readonly directory: Directory;
  readonly timeline: Timeline;
  readonly views: ViewStore;
  readonly inputs: Inputs;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  /** Something that a person could see has changed. */
  readonly changed: () => void;
  /** Tells the bot of an event, when its manifest subscribes to `subscription`. */
  readonly announce: (subscription: string, event: Fields) => void;
};
