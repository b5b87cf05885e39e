/** Devices for a person who types the name of one. */
import type { SoughtDevice } from '../../contracts.ts';
import type { Fleet } from './fleet.ts';

/** Those whose names hold the text in whatever case, at most so many. Of several with one name each is named by its id. */
export function devicesWith(fleet: Fleet, part: string, most: number): readonly SoughtDevice[] {
  const sought = part.toLowerCase();
  const found = fleet.values().filter(({ name }) => name.toLowerCase().includes(sought));
  const shown = found.slice(0, most);
  const isAlone = (name: string) => fleet.values().filter((each) => each.name === name).length === 1;
  return shown.map(({ id, name }) => ({
    value: isAlone(name) ? name : String(id),
    label: `${name} · #${id}`,
  }));
}
