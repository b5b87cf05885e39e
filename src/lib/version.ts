/** The version of this program, from `package.json`. */
import description from '../../package.json' with { type: 'json' };

export const VERSION = description.version;
