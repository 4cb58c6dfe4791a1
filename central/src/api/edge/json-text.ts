/** An answer that was made into JSON before, for one that is given out many times. */
export class JsonText<Answer> {
  readonly text: string;

  constructor(answer: Answer) {
    this.text = JSON.stringify(answer);
  }

  /** Only the type says what it is the text of. */
  declare readonly answer: Answer;
}
