/** How documents of Word, Excel and PowerPoint of before 2007 are known: by the streams of their containers. */

import type { FileSign } from "cairn-memory";

const contained = { within: "application/x-cfb" } as const;

export const docSigns: readonly FileSign[] = [{ mediaType: "application/msword", endings: ["doc"], stream: "WordDocument", ...contained }];
export const xlsSigns: readonly FileSign[] = [{ mediaType: "application/vnd.ms-excel", endings: ["xls"], stream: "Workbook", ...contained }];
export const pptSigns: readonly FileSign[] = [{ mediaType: "application/vnd.ms-powerpoint", endings: ["ppt"], stream: "PowerPoint Document", ...contained }];
/** A container of whatever else. */
export const oleSigns: readonly FileSign[] = [{ mediaType: "application/x-cfb", isOpen: true }];
