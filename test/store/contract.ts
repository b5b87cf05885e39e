/** What every engine must do: one suite, run against each. */
import * as alerts from './contract/alerts.ts';
import * as cards from './contract/cards.ts';
import * as events from './contract/events.ts';
import * as moves from './contract/request-moves.ts';
import * as targets from './contract/request-targets.ts';
import * as requests from './contract/requests.ts';
import * as settings from './contract/settings.ts';
import * as work from './contract/work.ts';
import type { StoreSetup } from './store-setup.ts';

export function storeContract(world: () => StoreSetup): void {
  for (const suites of [requests, targets, moves, events, cards, alerts, work, settings])
    for (const suite of Object.values(suites)) suite(world);
}
