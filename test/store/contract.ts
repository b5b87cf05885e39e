/** What every engine must do alike: the one suite, run against each. */
import { alertsContract } from './contract/alerts.ts';
import { approvalsContract } from './contract/approvals.ts';
import { auditContract } from './contract/audit.ts';
import { cardCallsContract } from './contract/card-calls.ts';
import { cardsContract } from './contract/cards.ts';
import { eventsContract } from './contract/events.ts';
import { healthContract } from './contract/health.ts';
import { inventoryContract } from './contract/inventory.ts';
import { operationsContract } from './contract/operations.ts';
import { recentContract } from './contract/recent.ts';
import { settingsContract } from './contract/settings.ts';
import { takingContract } from './contract/taking.ts';
import { transactionsContract } from './contract/transactions.ts';
import { workContract } from './contract/work.ts';
import type { World } from './world.ts';

export function storeContract(world: () => World): void {
  approvalsContract(world);
  operationsContract(world);
  eventsContract(world);
  cardsContract(world);
  cardCallsContract(world);
  healthContract(world);
  recentContract(world);
  alertsContract(world);
  takingContract(world);
  inventoryContract(world);
  workContract(world);
  auditContract(world);
  settingsContract(world);
  transactionsContract(world);
}
