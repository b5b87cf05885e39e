/**
 * What this process read of the waves that run. A wave is read before its first device is sent. What its later claims
 * need is read while others are sent: the service allows few pages a minute, which looks share, and a rollout that
 * waited for them would send nothing meanwhile. A claim whose device no page showed yet reads it alone.
 */
import { ageOf, DAY, type Instant } from '../../lib/clock.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import { pagesOfFleet } from '../device-pages.ts';
import { isReadDue, MAX_LISTED_AGE_MS } from './read-ahead.ts';
import {
  type CheckedWave,
  judgeRest,
  listRest,
  type RecheckedWave,
  type RecheckWaveOptions,
  recheckWave,
  type WaveToCheck,
} from './recheck-wave.ts';
import type { ListedWave } from './wave-pages.ts';

export type WaveReadings = {
  /** What the claims of the wave need not read again. Throws FleetFailure. */
  readonly at: (wave: WaveToCheck) => Promise<RecheckedWave>;
  readonly forget: (id: RequestRecord['id']) => void;
};

/** When the wave was read, and its first position that was ready then. */
type ReadFrom = { readonly readAt: Instant; readonly from: number };

type NextRead = ReadFrom & {
  readonly pages: Promise<ListedWave>;
  readonly abort: () => void;
  isOver: boolean;
};

type Reading = {
  readonly wave: number;
  /** Whoever lets a rollout go on moves it: its devices are read again. */
  readonly waveFrom: Instant;
  readonly seal: RequestRecord['seal'];
  last: CheckedWave & ReadFrom;
  /** What is read while devices are sent. */
  next: NextRead | null;
};

/** One for each process. */
export function createWaveReadings(options: RecheckWaveOptions): WaveReadings {
  const { clock } = options;
  const readings = new Map<RequestRecord['id'], Reading>();

  const readNext = (wave: WaveToCheck): NextRead => {
    const controller = new AbortController();
    const pages = listRest(options, wave, controller.signal);
    const next = {
      readAt: clock.now(),
      from: wave.first,
      pages,
      abort: () => controller.abort(),
      isOver: false,
    };
    const over = (): void => {
      next.isOver = true;
    };
    // Whoever uses it hears of its failure.
    pages.then(over, over);
    return next;
  };

  /** Nothing ran here since: the rollout was held, or another replica went on with it. */
  const isOld = ({ readAt }: ReadFrom): boolean => ageOf(readAt, clock.now()) > MAX_LISTED_AGE_MS;

  const isNextDue = ({ last, next }: Reading, { range, first: position }: WaveToCheck): boolean => {
    const { readAt, from, keptTo } = last;
    if (next !== null || keptTo === null) return false;
    const pages = pagesOfFleet(options);
    return isReadDue({ readAt, from, keptTo }, { now: clock.now(), position, to: range.to, pages });
  };

  const goOn = async (reading: Reading, wave: WaveToCheck): Promise<RecheckedWave> => {
    const { next } = reading;
    if (next?.isOver === true) {
      reading.next = null;
      const checked = isOld(next) ? null : await judgeRest(options, wave, await next.pages);
      if (checked?.kind === 'returned') return checked;
      const { readAt, from } = next;
      if (checked !== null) reading.last = { ...checked, readAt, from };
    }
    if (isNextDue(reading, wave)) reading.next = readNext(wave);
    const { listed } = reading.last;
    for (const sent of listed.keys()) if (sent < wave.first) listed.delete(sent);
    return reading.last;
  };

  const forget = (id: RequestRecord['id']): void => {
    readings.get(id)?.next?.abort();
    readings.delete(id);
  };

  return {
    forget,
    at: async (given) => {
      const { id, seal } = given.request;
      const { wave, waveFrom } = given.rollout;
      const known = readings.get(id);
      const isKnown = known?.wave === wave && known.waveFrom === waveFrom && known.seal === seal;
      if (isKnown) return goOn(known, given);
      forget(id);
      const readAt = clock.now();
      // Another replica went on with those.
      for (const [old, { last }] of readings) if (ageOf(last.readAt, readAt) > DAY) forget(old);
      const checked = await recheckWave(options, given);
      if (checked.kind === 'checked')
        readings.set(id, {
          wave,
          waveFrom,
          seal,
          last: { ...checked, targets: [], readAt, from: given.first },
          next: null,
        });
      return checked;
    },
  };
}
