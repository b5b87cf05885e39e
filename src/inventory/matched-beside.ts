/** By what else than its name a device was found: shown beside it in lists, to whoever may see it. Pure. */
import type { IndexedDevice } from './device-index/indexed-device.ts';
import { ADDRESS_MARK } from './search/search-text.ts';
import {
  addressesOf,
  hasAddress,
  loggedInUserIn,
  nameContains,
  serialContains,
  serialNumberIn,
  userContains,
} from './search/search-text-fields.ts';

/** What of a row these texts match, where they are in none of its names. They are read once for all rows. */
export function matchedBeside(texts: readonly string[]) {
  const known = texts.map((text) => ({
    text,
    isUser: userContains(text),
    isSerial: serialContains(text),
    isAddress: hasAddress(text),
  }));
  return (row: Pick<IndexedDevice, 'searchText'>) => {
    const beside = known.filter(({ text }) => !nameContains(row, text));
    const isIn = (one: string) =>
      beside.some(({ isAddress }) => isAddress?.({ searchText: ADDRESS_MARK + one }));
    return {
      userName: beside.some(({ isUser }) => isUser(row)) ? loggedInUserIn(row) : null,
      serialNumber: beside.some(({ isSerial }) => isSerial(row)) ? serialNumberIn(row) : null,
      addresses: addressesOf(row).filter(isIn),
    };
  };
}
