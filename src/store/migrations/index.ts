/**
 * The steps that bring a database to the present schema, in the order of their names. A step that was ever
 * released is never changed: add `NNNN-what.ts` and a line here.
 */
import type { Migration } from 'kysely/migration';
import type { EngineKind } from '../schema.ts';
import { foundation } from './0001-foundation.ts';
import { oneUnderWay } from './0002-one-under-way.ts';
import { history } from './0003-history.ts';
import { inventory } from './0004-inventory.ts';
import { lately } from './0005-lately.ts';
import { alerts } from './0006-alerts.ts';
import { settings } from './0007-settings.ts';
import { misses } from './0008-misses.ts';
import { alertsByAge } from './0009-alerts-by-age.ts';
import { cardCalls } from './0010-card-calls.ts';
import { replicas } from './0011-replicas.ts';
import { health } from './0013-health.ts';
import { returned } from './0014-returned.ts';

export const migrations: Readonly<Record<string, (engine: EngineKind) => Migration>> = {
  '0001-foundation': foundation,
  '0002-one-under-way': oneUnderWay,
  '0003-history': history,
  '0004-inventory': inventory,
  '0005-lately': lately,
  '0006-alerts': alerts,
  '0007-settings': settings,
  '0008-misses': misses,
  '0009-alerts-by-age': alertsByAge,
  '0010-card-calls': cardCalls,
  '0011-replicas': replicas,
  '0013-health': health,
  '0014-returned': returned,
};
