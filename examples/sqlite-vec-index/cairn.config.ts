/** Searches by way of sqlite-vec: `CAIRN_CONFIG=examples/sqlite-vec-index/cairn.config.ts npm start`. */

import { defineConfig } from "cairn-memory";
import sqliteVec from "./index.ts";

export default defineConfig({ plugins: [sqliteVec()] });
