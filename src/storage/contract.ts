export const DIRECT_UPLOADS_PATH = "/api/v1/storage/direct_uploads";

export const FILENAME_LENGTH_MAX = 255;
export const CONTENT_TYPE_LENGTH_MAX = 127;
