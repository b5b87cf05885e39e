/** What every engine must do: one suite, run against each. */

import { alertLivesContract, alertsContract } from './contract/alerts.ts';
import { cardCallsContract, cardsContract } from './contract/cards.ts';
import { eventsContract, healthContract, inventoryContract } from './contract/events.ts';
import { requestMovesContract, requestRacesContract } from './contract/request-moves.ts';
import { requestTargetsContract } from './contract/request-targets.ts';
import {
  decisionWindowsContract,
  requestedDevicesContract,
  requestsContract,
  rolloutsContract,
} from './contract/requests.ts';
import { auditContract, settingsContract, transactionsContract } from './contract/settings.ts';
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
  alertsContract(world);
  alertLivesContract(world);
  inventoryContract(world);
  workContract(world);
  auditContract(world);
  settingsContract(world);
  decisionWindowsContract(world);
  transactionsContract(world);
  requestedDevicesContract(world);
}
