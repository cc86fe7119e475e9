/** Lists the third party's plugin. */

import { defineConfig } from "cairn-memory";
import acme from "./extract-acme.ts";

export default defineConfig({ plugins: [acme()] });
