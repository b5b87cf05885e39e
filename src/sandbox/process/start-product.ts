/** What the sandbox forks. */
import { runProduct } from './run-product.ts';

await runProduct();
