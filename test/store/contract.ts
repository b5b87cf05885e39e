/** What every engine must do: one suite, run against each. */

import { acknowledgementsContract } from './contract/acknowledgements.ts';
import { alertsContract } from './contract/alerts.ts';
import { auditContract } from './contract/audit.ts';
import { cardCallsContract } from './contract/card-calls.ts';
import { cardsContract } from './contract/cards.ts';
import { decisionWindowsContract } from './contract/decision-windows.ts';
import { eventsContract } from './contract/events.ts';
import { healthContract } from './contract/health.ts';
import { inventoryContract } from './contract/inventory.ts';
import { requestMovesContract } from './contract/request-moves.ts';
import { requestRacesContract } from './contract/request-races.ts';
import { requestTargetsContract } from './contract/request-targets.ts';
import { requestedDevicesContract } from './contract/requested-devices.ts';
import { requestsContract } from './contract/requests.ts';
import { rolloutsContract } from './contract/rollouts.ts';
import { settingsContract } from './contract/settings.ts';
import { shownAlertsContract } from './contract/shown-alerts.ts';
import { transactionsContract } from './contract/transactions.ts';
import { workContract } from './contract/work.ts';
import type { StoreSetup } from './store-setup.ts';

export function storeContract(world: () => StoreSetup): void {
  requestsContract(world);
  requestTargetsContract(world);
  requestMovesContract(world);
  requestRacesContract(world);
  rolloutsContract(world);
  eventsContract(world);
  cardsContract(world);
  cardCallsContract(world);
  healthContract(world);
  shownAlertsContract(world);
  alertsContract(world);
  acknowledgementsContract(world);
  inventoryContract(world);
  workContract(world);
  auditContract(world);
  settingsContract(world);
  decisionWindowsContract(world);
  transactionsContract(world);
  requestedDevicesContract(world);
}
