/** The version of this program, from its package.json. */

import about from "../package.json" with { type: "json" };

export const version: string = about.version;
