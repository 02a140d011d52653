/** What the account page says about the data of its user. */
export const ownDataTexts = {
  title: "Your data",
  about:
    "Everything that is stored about you, as one JSON file: profile, calls, money, messages, devices and more.",
  download: "Download my data",
};

export const deletionTexts = {
  title: "Delete the account",
  about:
    "Your name, address, phone number, picture, messages, links and devices are deleted for good. Calls and results stay without your name.",
  open: "Delete my account",
  question: "Delete your account for good?",
  balance: "What is in your wallet is lost: the books keep it, and nobody can use it.",
  forGood: "Nobody can undo this, not even an admin. Download your data first if you want to keep it.",
  act: "Delete for good",
  keep: "Keep it",
  wrongPassword: "That was not your password. Your account stays.",
  deleted: "Your account is deleted. Its name, address and messages are gone.",
};
