/** The texts of the profile, its details and its picture. */

// Profile screen
export const profile = "Profile";
export const you = "You";
export const username = "Username";
export const email = "Email";
export const none = "None";
export const phone = "Phone";
export const hereSince = "Here since";
export const role = "Role";
export const player = "Player";
export const editDetails = "Edit details";
export const changePicture = "Change picture";
export const wallet = "Wallet";
export const openWallet = "Open wallet";
export const balance = "Balance";
export const callsPlaced = "Calls placed";
export const terms = "Terms";
export const logout = "Logout";

// Records
export const records = "Records";
export const noRecords = "No record yet";
export const noRecordsHint =
  "Your first right call makes one: your longest streak, your best night and your rank in each season are kept here.";
export const longestStreak = "Right in a row";
export const bestNight = "Best night";
export const privateShow = "A private show";
export const rankInSeason = (season: string) => `Rank in ${season}`;
export const wonAndLost = (wins: number, losses: number) => `${wins} won, ${losses} lost`;
export const nightWas = (record: string) => `{show}, ${record}, {day}`;
export const ofPlayers = (rank: string, players: number) => `${rank} of ${players}`;
export const days = (from: string, until: string) => (from === until ? from : `${from} to ${until}`);

// Details screen
export const details = "Details";
export const aboutYou = "About you";
export const saved = "Saved.";
export const usernameHint = "3 to 20 letters, digits and underscores. Everybody sees it.";
export const phoneHint = "With the country in front: +1 415 555 0100. Other players do not see it.";
export const saveDetails = "Save details";

// Avatar screen
export const picture = "Picture";
export const drawnFaces = "Or a drawn face";
export const useFace = "Use this face";
export const newPicture = "New picture";
export const yourPicture = "Your picture";
export const pictureBeingMade = "Your new picture is being made. It appears here in a moment.";
export const noPictureHint = "You have none yet: the first letters of your name are shown instead.";
export const removePicture = "Remove picture";

// Avatar form
export const pictureHint = "PNG, JPEG, WebP or GIF, up to 5 MB.";
export const notChosen = "is not chosen yet";
export const upload = "Upload";
export const savePicture = "Save picture";
export const sending = (percent: number) => `Sending ${percent}%`;
export const cropHint = "Drag the square, or move it with the arrow keys and size it with + and -.";

// Cropper
export const cropSize = "Size of the square";
export const chosenPicture = "The picture you chose";
export const cropArea = "The part that is shown";
export const cropPosition = (left: string, top: string) => `${left} from the left, ${top} from the top`;

// Send avatar
export const notTakenNow = "cannot be taken now: try again later";

// Upload picture
export const serverUnreachable = "The server cannot be reached. Try again when you are back.";
export const tooManyUploads = "Too many uploads. Try again in an hour.";
export const uploadFailed = "The picture did not arrive. Try again.";

// Use picture
export const tooLarge = "is too large (maximum is 5 MB)";
export const notAPicture = "must be a PNG, JPEG, WebP or GIF picture";
export const fileDamaged = "cannot be read: the file is damaged";
