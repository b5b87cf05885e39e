/** What a person chose for themselves. */
import type { Session } from '../session.ts';
import type { PeopleStore } from '../settings-records.ts';

export function createPeopleSettings(session: Session): PeopleStore {
  const { organizationId } = session;
  return {
    timeZone: async (person) => {
      const row = await session
        .db()
        .selectFrom('peopleSettings')
        .select('timeZone')
        .where('organizationId', '=', organizationId)
        .where('personId', '=', person)
        .executeTakeFirst();
      return row?.timeZone ?? null;
    },
    setTimeZone: async (personId, timeZone) => {
      await session
        .db()
        .insertInto('peopleSettings')
        .values({ organizationId, personId, timeZone })
        .onConflict((conflict) => conflict.columns(['organizationId', 'personId']).doUpdateSet({ timeZone }))
        .execute();
    },
  };
}
