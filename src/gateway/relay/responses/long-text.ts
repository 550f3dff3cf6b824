import { longestText } from "../../read-json.ts";
import { BadAnswer } from "../../providers/provider.ts";

/** Characters that are joined at once. */
const pageLength = 65_536;

/** A text that comes in pieces and is needed whole at its end. Joined all at once, a million pieces hold the thread. */
export class LongText {
  /** characters of all pieces */
  length = 0;
  private readonly pages: string[] = [];
  private open: string[] = [];
  private opened = 0;

  /** @throws BadAnswer when it becomes longer than one text may be */
  push(piece: string): void {
    this.length += piece.length;
    if (this.length > longestText) throw new BadAnswer(`the stream has a text of more than ${longestText} characters`);
    this.open.push(piece);
    this.opened += piece.length;
    if (this.opened >= pageLength || this.open.length >= 1_024) this.turnPage();
  }

  whole(): string {
    this.turnPage();
    return this.pages.join("");
  }

  private turnPage(): void {
    if (this.open.length === 0) return;
    this.pages.push(this.open.join(""));
    this.open = [];
    this.opened = 0;
  }
}
