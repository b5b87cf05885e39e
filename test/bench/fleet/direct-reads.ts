/** Reads of the management service without the product: the service's own time. */
import { Agent } from 'undici';
import type { ManagementService } from '../../../src/sandbox/contracts/services.ts';

/** Rows of a page, as the product asks for them. */
const LIMIT = 500;

/**
 * With the product's own library, on a reused connection like the product's. A repeated path is the next page of its
 * list.
 */
export function createDirectReads(
  { baseUrl, apiKey, organizationId }: Pick<ManagementService, 'baseUrl' | 'apiKey' | 'organizationId'>,
  paths: readonly string[],
) {
  const agent = new Agent({ allowH2: false });
  const headers = {
    authorization: `Bearer ${apiKey}`,
    accept: 'application/json',
    'accept-encoding': 'gzip',
  };
  const requests = paths.map((path, index) => {
    const page = paths.slice(0, index).filter((earlier) => earlier === path).length;
    return `${path}?o=${organizationId}&limit=${LIMIT}&page=${page}`;
  });
  const read = async (path: string): Promise<void> => {
    const { statusCode, body } = await agent.request({ origin: baseUrl, path, method: 'GET', headers });
    if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode}`);
    await body.arrayBuffer();
  };
  return {
    /** Milliseconds for all of them, one after the other: the service is one thread and cannot do two at once. */
    async time() {
      const begun = performance.now();
      for (const path of requests) await read(path);
      return performance.now() - begun;
    },
    close: () => agent.close(),
  };
}
