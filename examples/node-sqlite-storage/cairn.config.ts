/** Names the storage, for trying it from this repository. */

import { defineConfig } from "cairn-memory";
import nodeSqlite from "./index.ts";

export default defineConfig({ plugins: [nodeSqlite()], use: { storage: "node-sqlite" } });
