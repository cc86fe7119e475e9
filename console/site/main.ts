/** What a page of the documentation site does by itself: search, and copy what stands in a box. */

import "../styles/theme.css";
import "./site.css";
import "./page.css";
import { addCopyButtons } from "./copy.ts";
import { addSearch } from "./search.ts";

addSearch();
addCopyButtons();
